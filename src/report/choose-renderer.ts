// Which renderer -o asks for.
import type { OutputForm } from '../model/options.ts';
import { documentRenderer } from './document.ts';
import { nameRenderer } from './name.ts';
import type { Renderer } from './renderer.ts';
import { textRenderer } from './text.ts';

export interface Showing {
  readonly form: OutputForm;
  /** Whether a question will be asked, so that the preview is wanted on stderr. */
  readonly asks: boolean;
}

export function rendererFor(showing: Showing): Renderer {
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
  }
}
