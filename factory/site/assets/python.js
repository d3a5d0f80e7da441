// Colours for Python text. It only has to look right: what a statement is comes from the data.

const PYTHON_WORDS = new Set(
  ("and as assert async await break case class continue def del elif else except finally for from " +
    "global if import in is lambda match nonlocal not or pass raise return try while with yield " +
    "None True False").split(" "),
);
const PYTHON_TOKENS = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<text>\b[rRbBuUfF]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`,
    String.raw`(?<number>\b(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?j?))`,
    String.raw`(?<name>[\p{L}_][\p{L}\p{N}_]*)`,
  ].join("|"),
  "gu",
);

/** The lines of a program as Python counts them, each a list of [class or "", text]. */
function colouredLines(source) {
  const text = source.replace(/\r\n?/g, "\n");
  const lines = [[]];
  const add = (kind, piece) => {
    piece.split("\n").forEach((part, place) => {
      if (place) lines.push([]);
      if (part) lines.at(-1).push([kind, part]);
    });
  };
  let end = 0;
  for (const found of text.matchAll(PYTHON_TOKENS)) {
    add("", text.slice(end, found.index));
    const { comment, text: quoted, number, name } = found.groups;
    if (comment) add("comment", comment);
    else if (quoted) add("text", quoted);
    else if (number) add("number", number);
    else add(PYTHON_WORDS.has(name) ? "word" : "", name);
    end = found.index + found[0].length;
  }
  add("", text.slice(end));
  if (lines.length > 1 && !lines.at(-1).length) lines.pop();
  return lines;
}

/** Text with colours, as elements. */
const colouredPieces = (pieces) =>
  pieces.map(([kind, text]) => (kind ? element("span", { class: `py-${kind}` }, text) : text));
