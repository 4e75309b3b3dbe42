// What takes more than a few seconds says so on stderr: one updating line on a terminal, a line now and then in a log.
export interface Progress {
  /** Ends the line: `built in 66 s`. */
  end(how: string): void;
}

const everySecond = 1000;
const everyQuarterMinute = 15_000;

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function progress(what: string): Progress {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const terminal = process.stderr.isTTY === true;
  const show = () => {
    if (terminal) process.stderr.write(`\r\x1b[K${what}: ${seconds()} s`);
    else say(`${what}: ${seconds()} s`);
  };
  const timer = setInterval(show, terminal ? everySecond : everyQuarterMinute);
  timer.unref();
  if (terminal) show();
  else say(`${what} ...`);
  return {
    end(how) {
      clearInterval(timer);
      if (terminal) process.stderr.write('\r\x1b[K');
      say(`${what}: ${how} in ${seconds()} s`);
    },
  };
}
