// In the place of inquirer's editor prompt, which this program never asks with.
// biome-ignore lint/style/noDefaultExport: as inquirer imports it
export default function noEditor(): never {
  throw new Error('there is no editor in this binary');
}
