// The rules engine on the phone: MicroPython with the service's own modules, in a worker, so that no page waits for it.
// Each message is a question with a number, which `guided` answers.

import { loadMicroPython } from "{{ runtime|escapejs }}";

const engine = load();

async function load() {
  const response = await fetch("{{ modules|escapejs }}", { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${response.status}: ${response.url}`);
  const bundle = await response.json();
  const python = await loadMicroPython({ url: "{{ wasm|escapejs }}", heapsize: 4 * 1024 * 1024 });
  for (const [path, source] of Object.entries(bundle.files)) {
    python.FS.mkdirTree(`/lib/${path}`.replace(/\/[^/]+$/, ""));
    python.FS.writeFile(`/lib/${path}`, source);
  }
  python.globals.set("texts", JSON.stringify(bundle.texts));
  python.runPython(BEGIN);
  return python.globals.get("answer");
}

const BEGIN = `
import json, sys
sys.path.insert(0, "/lib")
import shims
from referee.pocket.game_page import guided
texts = json.loads(texts)

def answer(language, kit):
    shims.speak(language, texts[language])
    return json.dumps(guided(json.loads(kit), language))
`;

addEventListener("message", async ({ data: { number, language, kit } }) => {
  try {
    const answer = await engine;
    postMessage({ number, answer: JSON.parse(answer(language, JSON.stringify(kit))) });
  } catch (error) {
    postMessage({ number, problem: String(error) });
  }
});
