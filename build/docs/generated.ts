// Every part of a page that is made, by the name that its mark gives: `<!-- generated: flags stop -->`.
import {
  allReasons,
  causeTable,
  leftTable,
  noteTable,
  reasonTable,
  refusalTable,
  statusTable,
} from './code-tables.ts';
import { documentFields } from './document-fields.ts';
import { exitCodeTable } from './exit-codes.ts';
import { finalizerTable } from './finalizers.ts';
import { roleTable, roleText } from './roles.ts';
import { transcript } from './transcript.ts';
import { connectionTable, examplesTable, flagTables, usageOf } from './usage.ts';
import type { PlannedVerb } from './verb-codes.ts';
import { verbPage } from './verbs.ts';

type Make = (words: readonly string[]) => string;

const makers: Readonly<Record<string, Make>> = {
  usage: ([verb]) => usageOf(verbPage(verb)),
  examples: ([verb]) => examplesTable(verbPage(verb)),
  flags: ([verb]) => flagTables(verbPage(verb)),
  'connection-flags': connectionTable,
  reasons: ([verb]) => reasonTable(plannedVerb(verb)),
  notes: ([verb]) => noteTable(plannedVerb(verb)),
  'all-reasons': allReasons,
  left: leftTable,
  causes: causeTable,
  refusals: refusalTable,
  'status-findings': statusTable,
  finalizers: finalizerTable,
  'exit-codes': exitCodeTable,
  role: ([name = '']) => roleText(name),
  roles: ([prefix = '']) => roleTable(prefix),
  'document-fields': ([kind = '']) => documentFields(kind),
  transcript: ([name = '']) => transcript(name),
};

function plannedVerb(word: string | undefined): PlannedVerb {
  const page = verbPage(word);
  if (page === 'status') throw new Error('status has findings of its own: status-findings');
  return page;
}

export function generated(name: string, words: readonly string[]): string {
  const make = makers[name];
  if (make === undefined)
    throw new Error(`nothing is called "${name}"; there are ${Object.keys(makers).join(', ')}`);
  return make(words);
}
