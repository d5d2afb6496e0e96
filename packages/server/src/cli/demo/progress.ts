/** The output of progress: a bar on a terminal, otherwise one line per step. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  step(label: string, total: number): { advance(count: number): void; end(): void };
}

const labelWidth = 10;

function bar(label: string, done: number, total: number, columns: number): string {
  const count = `${done}/${total}`;
  const width = Math.max(5, Math.min(40, columns - labelWidth - count.length - 6));
  const filled = total === 0 ? width : Math.round((done / total) * width);
  return `${label.padEnd(labelWidth)} [${"#".repeat(filled)}${".".repeat(width - filled)}] ${count}`;
}

export function createProgress(target: ProgressTarget): Progress {
  return {
    step(label, total) {
      let done = 0;
      const draw = () => {
        if (target.isTTY === true) target.write(`\r${bar(label, done, total, target.columns ?? 80)}`);
      };
      draw();
      return {
        advance(count) {
          done += count;
          draw();
        },
        end() {
          target.write(target.isTTY === true ? "\n" : `${label.padEnd(labelWidth)} ${done}\n`);
        },
      };
    },
  };
}
