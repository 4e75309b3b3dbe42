// The events of one test file → how many tests passed, failed and were skipped. Only leaves count: a suite, or a test
// with subtests, says nothing that its parts have not said, unless it failed by itself.
import type { TestEvent } from './test-file.ts';

export interface Failure {
  /** `suite › test` */
  readonly name: string;
  readonly error: unknown;
}

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  readonly failures: Failure[];
}

interface Outcome {
  readonly name: string;
  readonly nesting: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details?: { readonly type?: string; readonly error?: Error & { failureType?: string } };
}

const isSet = (mark: string | boolean | undefined): boolean => mark !== undefined && mark !== false;

export class FileTally implements Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly failures: Failure[] = [];
  /** The test that is being run. */
  current: string | undefined;
  readonly #path: string;
  readonly #names: string[] = [];
  #lastNesting = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get total(): number {
    return this.passed + this.failed + this.skipped;
  }

  take(event: TestEvent): void {
    if (event.type === 'test:dequeue') this.current = event.data.name;
    if (event.type === 'test:start') {
      this.#names.length = event.data.nesting;
      this.#names.push(event.data.name);
    }
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      this.#takeOutcome(event.data as Outcome, event.type === 'test:pass');
    }
  }

  fail(name: string, error: unknown): void {
    this.failed += 1;
    this.failures.push({ name, error });
  }

  #takeOutcome(outcome: Outcome, passed: boolean): void {
    // Parts are reported before the whole, so what follows something deeper is its parent.
    const isParent = this.#lastNesting > outcome.nesting;
    this.#lastNesting = outcome.nesting;
    if (outcome.nesting === 0 && outcome.name === this.#path) {
      this.#takeFile(outcome, passed);
    } else if (isSet(outcome.skip) || isSet(outcome.todo)) {
      this.skipped += 1;
    } else if (!passed) {
      this.#takeFailure(outcome, isParent);
    } else if (!isParent && outcome.details?.type !== 'suite') {
      this.passed += 1;
    }
  }

  #takeFailure(outcome: Outcome, isParent: boolean): void {
    const error = outcome.details?.error;
    if (isParent && error?.failureType === 'subtestsFailed') return;
    this.fail([...this.#names.slice(0, outcome.nesting), outcome.name].join(' › '), error?.cause ?? error);
  }

  /** Node reports the file itself when it crashed, ran out of time, or had no test in it: none of these is fine. */
  #takeFile(outcome: Outcome, passed: boolean): void {
    const error = outcome.details?.error;
    if (!passed) this.fail('the file itself', error?.cause ?? error);
    else if (this.total === 0) this.fail('the file itself', new Error('has no tests'));
  }
}
