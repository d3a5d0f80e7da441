// Data come as scripts, because a page that was opened from a file may not fetch anything.

const waiting = new Map();
const received = new Map();

/** Called by each data file: the index, or a list of programs. */
window.tracefoundry = {
  receive(name, content) {
    if (Array.isArray(content)) content.forEach(prepare);
    received.set(name, content);
    waiting.get(name)?.(content);
    waiting.delete(name);
  },
};

/** The content of `data/<name>.js`, or of the data inside the page. */
function chunk(name) {
  if (received.has(name)) return Promise.resolve(received.get(name));
  return new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = element("script", { src: `data/${name}.js` });
    script.addEventListener("error", () => reject(new Error(`data/${name}.js cannot be read`)));
    document.head.append(script);
  });
}
