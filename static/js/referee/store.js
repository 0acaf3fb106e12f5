// What is kept on this phone (IndexedDB): entries in the order in which they were made, and what pages are made of
// without a network. A promise that is kept here is kept on the disk.

let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("tendone", 1);
    asked.onupgradeneeded = () => {
      const entries = asked.result.createObjectStore("entries", { keyPath: "order", autoIncrement: true });
      entries.createIndex("id", "id", { unique: true });
      asked.result.createObjectStore("kept");
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

async function run(name, mode, use) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const doing = database.transaction(name, mode, { durability: "strict" });
    const asked = use(doing.objectStore(name));
    doing.oncomplete = () => resolve(asked?.result);
    doing.onerror = doing.onabort = ({ target }) => reject(target.error);
  });
}

export const entries = () => run("entries", "readonly", (store) => store.getAll());

// A new entry gets its place after all others; one with an id that is here already is refused.
export const add = (entry) => run("entries", "readwrite", (store) => store.add(entry));

export const change = (changed) =>
  run("entries", "readwrite", (store) => { for (const entry of changed) store.put(entry); });

export const remove = (orders) =>
  run("entries", "readwrite", (store) => { for (const order of orders) store.delete(order); });

export const kept = (key) => run("kept", "readonly", (store) => store.get(key));

export const keep = (key, value) => run("kept", "readwrite", (store) => store.put(value, key));

export const keptKeys = () => run("kept", "readonly", (store) => store.getAllKeys());

export const forgetKept = () => run("kept", "readwrite", (store) => store.clear());
