// Facts, as sentences use them: text without control characters, numbers, and whether something is there to be said.
import type { Facts } from '../model/facts.ts';
import { plain } from '../model/ref.ts';

export const text = (facts: Facts, name: string): string => plain(String(facts[name] ?? ''));
export const has = (facts: Facts, name: string): boolean => facts[name] !== undefined && facts[name] !== '';
export const number = (facts: Facts, name: string): number => Number(facts[name] ?? 0);
