// node build/docs/transcripts.ts [--check]: plays the stories of the documents on a real control plane and writes docs/transcripts/, or
// says what in it is stale. Afterwards node build/docs/docs.ts puts it into the pages.
import { startControlPlane } from '../../test/cluster/control-plane.ts';
import { controllerManagerFlags, tell, write } from './told.ts';

const isCheck = process.argv.includes('--check');
const plane = await startControlPlane({ controllerManagerFlags });
process.on('SIGINT', () => process.exit(130));
try {
  const stale = (await tell(plane)).filter(({ isStale }) => isStale);
  for (const told of stale) {
    if (!isCheck) write(told);
    process.stdout.write(`docs/transcripts/${told.file} ${isCheck ? 'is stale' : 'written'}\n`);
  }
  process.exitCode = isCheck && stale.length > 0 ? 1 : 0;
} finally {
  await plane.stop();
}
