// A recorded terminal as an SVG that plays by itself: all lines are there from the start, and a window moves over them step by step.
// The rest is CSS, so that it plays where an image may not run scripts.

/** A line of the recording, and when it stood there, in seconds. */
export interface Line {
  readonly text: string;
  readonly look: 'plain' | 'typed' | 'told' | 'held' | 'warning';
  readonly at: number;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

const [charWidth, lineHeight, margin] = [7.23, 17, 14];
/** How long the last picture stands before it begins anew. */
const restSeconds = 8;

export function terminalSvg(lines: readonly Line[], { columns, rows }: Size): string {
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = rows * lineHeight + 2 * margin;
  const wrapped = lines.flatMap(line => wrap(line, columns));
  const seconds = (wrapped.at(-1)?.at ?? 0) + restSeconds;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>kubectl jobctl: the demo, recorded on a real control plane</title>
<style>
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d4d4d4;white-space:pre}
.typed{fill:#fff;font-weight:bold}.told{fill:#7cc7ff}.held{fill:#7ee787}.warning{fill:#e3b341}
.moves{animation:moves ${seconds.toFixed(1)}s step-end infinite}
.hides{animation:hides ${seconds.toFixed(1)}s step-end infinite}
@keyframes moves{${keyframes(wrapped, seconds, shown => -Math.max(0, shown - rows) * lineHeight)}}
@keyframes hides{${keyframes(wrapped, seconds, shown => Math.min(shown, rows) * lineHeight)}}
@media (prefers-reduced-motion:reduce){.moves{animation:none}.hides{animation:none;display:none}}
</style>
<rect width="100%" height="100%" rx="8" fill="#15181d"/>
<svg x="${margin}" y="${margin}" width="${width - 2 * margin}" height="${rows * lineHeight}">
<g class="moves">
${wrapped.map(textElement).filter(Boolean).join('\n')}
</g>
<rect class="hides" width="100%" height="100%" fill="#15181d"/>
</svg>
</svg>
`;
}

function textElement({ text, look }: Line, at: number): string {
  if (text.trim() === '') return '';
  const style = look === 'plain' ? '' : ` class="${look}"`;
  return `<text xml:space="preserve"${style} y="${at * lineHeight + 13}">${escaped(text)}</text>`;
}

/** One step for each moment at which something new stood there. */
function keyframes(lines: readonly Line[], seconds: number, offset: (shown: number) => number): string {
  const steps = new Map<string, number>([['0', offset(0)]]);
  for (const [at, line] of lines.entries()) steps.set(((line.at / seconds) * 100).toFixed(2), offset(at + 1));
  const distinct = [...steps].filter(([, to], at, all) => at === 0 || all[at - 1]?.[1] !== to);
  return distinct.map(([percent, to]) => `${percent}%{transform:translateY(${to}px)}`).join('');
}

const wrap = (line: Line, columns: number): Line[] =>
  Array.from({ length: Math.max(1, Math.ceil(line.text.length / columns)) }, (_, at) => ({
    ...line,
    text: line.text.slice(at * columns, (at + 1) * columns),
  }));

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
