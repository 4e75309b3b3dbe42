// What is known of finalizers by their names: whose they are, and what a removal costs.
import type { Loss } from '../../src/model/known-finalizer.ts';
import { knownFinalizers } from '../../src/model/known-finalizers.ts';
import { finalizerWords } from '../../src/report/finalizer-words.ts';
import { code, markdownTable } from './markdown.ts';

const losses: Record<Loss, string> = {
  nothing: 'nothing but bookkeeping',
  outside: 'something outside may be left',
  data: 'data',
};

export const finalizerTable = (): string =>
  markdownTable(
    ['whose', 'names', 'at stake', 'what it does first', 'removed by hand', 'instead'],
    knownFinalizers.map(({ id, names, loss }) => {
      const { tool, does, left, instead } = finalizerWords[id];
      return [tool, names.map(code).join(', '), losses[loss], does, left, instead];
    }),
  );
