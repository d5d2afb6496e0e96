import { UnstyledButton } from "@mantine/core";
import { foldLetters } from "@rollcall/server/contract/core";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { JobTag } from "./small.tsx";
import classes from "./jobCounts.module.css";

export interface JobCount {
  readonly job: string;
  readonly count: number;
}

/**
 * How many of these jobs there are, by their labels: rows that move change places, and what is chosen from must not. The
 * job that is filtered by is there without any, too.
 */
export function countByJob(
  jobs: readonly string[],
  chosen: string | undefined,
  labelOf: (job: string) => string,
): readonly JobCount[] {
  const counts = new Map<string, number>();
  for (const job of jobs) counts.set(job, (counts.get(job) ?? 0) + 1);
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0);
  const key = (job: string) => `${foldLetters(labelOf(job))}\n${job}`;
  return [...counts].map(([job, count]) => ({ job, count })).toSorted((a, b) => (key(a.job) < key(b.job) ? -1 : 1));
}

/** The jobs of a list with their counts; a click shows one of them alone, and another click all. */
export function JobCounts(props: {
  readonly counts: readonly JobCount[];
  /** Undefined: all. */
  readonly chosen: string | undefined;
  onChoose(job: string | undefined): void;
}) {
  const { t } = useText();
  const label = useJobLabels();
  const { counts, chosen, onChoose } = props;
  if (counts.length < 2 && chosen === undefined) return null;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className={`rc-scroll ${classes["counts"]}`} role="group" aria-label={t("web.jobCounts.label")} data-sideways>
      <UnstyledButton className={classes["count"] ?? ""} aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        {t("web.jobCounts.all")} <span className={classes["number"]}>{total}</span>
      </UnstyledButton>
      {counts.map(({ job, count }) => (
        <UnstyledButton
          key={job}
          className={classes["count"] ?? ""}
          aria-pressed={chosen === job}
          onClick={() => onChoose(chosen === job ? undefined : job)}
        >
          <JobTag job={{ name: job, label: label(job) }} /> <span className={classes["number"]}>{count}</span>
        </UnstyledButton>
      ))}
    </div>
  );
}
