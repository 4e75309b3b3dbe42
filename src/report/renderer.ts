// A renderer folds events into lines; it never writes. main.ts writes, so a broken pipe is handled in one place.
import type { Event } from '../model/event.ts';
import type { OutputForm } from '../model/options.ts';
import type { Refusal } from '../model/refusal.ts';
import { documentRenderer } from './document.ts';
import { nameRenderer } from './name.ts';
import type { Tally } from './tally.ts';
import { textRenderer } from './text.ts';

export interface Lines {
  readonly out?: readonly string[];
  readonly err?: readonly string[];
  /** A line that the next one replaces; shown on a terminal only. */
  readonly status?: string;
}

export interface Renderer {
  on(event: Event): Lines;
  /** After the last event. `exitCode` is what the process will end with. */
  end(tally: Tally, exitCode: number, refusal?: Refusal): Lines;
}

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
