"""Check words: what a phone shows while it waits, so that the desk lets the right one in."""

import secrets
from collections.abc import Container

WORDS = tuple(
    """
    album aloe aroma atlas avocado banana basket bikini bistro blues bonsai bravo broccoli bungalow
    cactus calypso casino chef cinema club cobra confetti curry delta domino enigma espresso extra fauna
    festival fiasco film flamenco forum gelato golf gondola gorilla gospel graffiti guru hippo hobby
    hockey hotel iceberg igloo iguana internet jazz jeans judo karate kayak kebab ketchup kimono kiwi
    laptop lasagna lemur limbo logo mascara mimosa modem mozzarella ninja nirvana oasis omega oregano
    origami oscar panda paprika pesto piano picnic pixel pizza podcast polka poster pullman puzzle
    quasar quiz rally ravioli regatta replica risotto robot rock rugby safari samba shampoo slogan
    sonata spray stand stop sushi tango taxi tempo tennis tiramisu toast tombola tornado tram tundra
    tutor ukulele vespa video viola volley wafer wasabi weekend yeti yogurt zombie zoom
    """.split()  # noqa: SIM905  # a list of words reads best as text
)
"""128 words that Italian and English share, none a number, none like another at its beginning or its end."""
NUMBERS = range(10, 100)


def draw_check_word(taken: Container[str]) -> str:
    """Two words and a number, such as “tango kiwi 47”, at random and not among those that are `taken`."""
    while True:
        first = secrets.choice(WORDS)
        second = secrets.choice([word for word in WORDS if word != first])
        drawn = f"{first} {second} {secrets.choice(NUMBERS)}"
        if drawn not in taken:
            return drawn
