import { asProblem } from "#core/problem.ts";
import { Bars, EmptyState, ProblemNote } from "./states.tsx";
import classes from "./split.module.css";

export interface DetailStatesProps {
  readonly query: {
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** Of the bars that stand for the content while it loads. */
  readonly widths: readonly string[];
  /** Shown for a record that does not exist. */
  readonly missing: Pick<Parameters<typeof EmptyState>[0], "icon" | "title" | "text">;
}

/** What is shown in place of a record while it loads, and when it cannot be loaded. */
export function DetailStates({ query, widths, missing }: DetailStatesProps) {
  if (query.isPending)
    return (
      <div className={classes["padded"]}>
        <Bars widths={widths} />
      </div>
    );
  if (!query.isError) return null;
  const { status } = asProblem(query.error);
  // 400: the contract refuses a malformed id before the lookup.
  if (status === 404 || status === 400) return <EmptyState {...missing} />;
  return (
    <div className={classes["padded"]}>
      <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    </div>
  );
}
