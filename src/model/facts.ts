/** What a sentence names: names, numbers, milliseconds. The sentence itself is in report/. */
export type Facts = Readonly<Record<string, string | number>>;
