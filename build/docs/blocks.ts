// The parts of a page that nobody writes by hand: from `<!-- generated: NAME WORDS -->` to `<!-- end -->`.

/** What stands between the marks now is replaced by what `make` says; unknown names throw. */
export function withBlocks(page: string, make: (name: string, words: readonly string[]) => string): string {
  assertPaired(page);
  return page.replace(block, (_, head: string) => {
    const [name = '', ...words] = head.trim().split(/\s+/);
    return `<!-- generated: ${[name, ...words].join(' ')} -->\n${make(name, words).trim()}\n<!-- end -->`;
  });
}

const block = /<!-- generated: ([^>]*?) -->\n[\s\S]*?<!-- end -->/g;

/** A mark without its partner would leave a part as it is, or take too much. */
function assertPaired(page: string): void {
  const marks = [...page.matchAll(/<!-- (generated|end)\b/g)].map(([, mark]) => mark);
  const isPaired = marks.length % 2 === 0 && marks.every((mark, at) => (mark === 'end') === (at % 2 === 1));
  if (!isPaired) throw new Error('every <!-- generated: … --> needs its <!-- end -->, and nothing within');
}
