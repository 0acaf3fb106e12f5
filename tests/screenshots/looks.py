"""What a machine can see in a page as it stands: words over words, and what axe says of colours and names."""

from playwright.sync_api import Page

from tests.support.accessibility import violations

# The middle of each line of words, where its letters are, cut to what scrolling ancestors show of it: the
# boxes of big letters reach into each other where nobody sees it. What floats over the page on purpose isn't
# asked.
OVERLAPS = """() => {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest("svg, .unseen, select, noscript, script, style")) continue;
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const clips = [];
    let floats = false;
    for (let each = parent; each && each !== document.documentElement; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.position === "fixed" || style.position === "sticky") { floats = true; break; }
      if (style.overflow !== "visible") clips.push(each.getBoundingClientRect());
    }
    if (floats) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const edge = rect.height * 0.22;
      const box = { left: rect.left, top: rect.top + edge, right: rect.right, bottom: rect.bottom - edge };
      for (const clip of clips) {
        box.left = Math.max(box.left, clip.left); box.right = Math.min(box.right, clip.right);
        box.top = Math.max(box.top, clip.top); box.bottom = Math.min(box.bottom, clip.bottom);
      }
      if (box.right - box.left > 2 && box.bottom - box.top > 2) lines.push({ node, box });
    }
  }
  lines.sort((one, other) => one.box.top - other.box.top);
  const found = [];
  lines.forEach((one, place) => {
    for (let next = place + 1; next < lines.length && lines[next].box.top < one.box.bottom; next += 1) {
      const other = lines[next];
      if (other.node === one.node) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      if (across > 3 && down > 2) {
        found.push(`“${one.node.data.trim().slice(0, 30)}” and “${other.node.data.trim().slice(0, 30)}”`);
      }
    }
  });
  return [...new Set(found)];
}"""


def faults_of(page: Page, *, painted_again: bool) -> list[str]:
    """What is wrong with a page as it is laid out and painted; painted again only its colours are asked."""
    colours = [f"{rule}: {html}" for rule, html in violations(page, of_colours=painted_again)]
    if painted_again:
        return colours
    overlaps: list[str] = page.evaluate(OVERLAPS)
    return [*colours, *(f"over each other: {pair}" for pair in overlaps)]
