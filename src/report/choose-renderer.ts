// Which renderer -o asks for.
import { given } from '../model/given.ts';
import type { OutputForm } from '../model/options.ts';
import { documentRenderer } from './document.ts';
import { jsonLinesRenderer } from './json-lines.ts';
import { nameRenderer } from './name.ts';
import type { Renderer } from './renderer.ts';
import { textRenderer } from './text.ts';

export interface Showing {
  readonly form: OutputForm;
  /** Whether a question will be asked, so that the preview is wanted on stderr. */
  readonly asks: boolean;
  /** Nothing but what is for programs. */
  readonly quiet?: boolean;
}

export function rendererFor(showing: Showing): Renderer {
  const renderer = ofForm(showing);
  return showing.quiet === true ? dataAlone(renderer) : renderer;
}

function ofForm(showing: Showing): Renderer {
  switch (showing.form) {
    case 'text':
      return textRenderer({ wide: false, asks: showing.asks });
    case 'wide':
      return textRenderer({ wide: true, asks: showing.asks });
    case 'name':
      return nameRenderer(showing.asks);
    case 'json':
    case 'yaml':
      return documentRenderer(showing.form, showing.asks);
    case 'jsonl':
      return jsonLinesRenderer(showing.asks);
  }
}

/** A container's log holds both streams, and a line of the other one could stand in the middle of the document. */
function dataAlone(renderer: Renderer): Renderer {
  return {
    on: event => given({ out: renderer.on(event).out }),
    end: (...how) => given({ out: renderer.end(...how).out }),
  };
}
