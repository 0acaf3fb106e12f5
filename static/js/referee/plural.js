// Texts in the plural form that goes with a number; the page has the forms (`referee/pocket/plural_forms.py` makes them).

// `number` may be what somebody has typed: what is no number has the last form.
export function counted(text, number) {
  const { forms, by_number: places } = JSON.parse(text);
  const half = places.length / 2;
  const place = places[number < 2 * half ? number : half + (number % half)] ?? forms.length - 1;
  return forms[place].replace("{n}", number);
}
