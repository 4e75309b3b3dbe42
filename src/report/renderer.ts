// What a renderer is: a fold of events into lines. It never writes; main.ts does, so a broken pipe is handled in one place.
import type { Event } from '../model/event.ts';
import type { Refusal } from '../model/refusal.ts';
import type { Tally } from './tally.ts';

export interface Lines {
  readonly out?: readonly string[];
  readonly err?: readonly string[];
  /** A line, or a few, that the next ones replace; on a terminal at once, else now and then. */
  readonly status?: string;
}

export interface Renderer {
  on(event: Event): Lines;
  /** After the last event. `exitCode` is what the process will end with. */
  end(tally: Tally, exitCode: number, refusal?: Refusal): Lines;
}
