import { useState, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh, IconTrash } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { discardTask, listDeadTasks, resendTask } from "@rollcall/server/contract/scheduler";
import { useText, type Translate } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { type BulkAction, oneByOne } from "#ui/listBulk.ts";
import { useSelection } from "#ui/records.hooks.ts";
import { FloatingBar, RowCheck, SelectionBar } from "#ui/selectionBar.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./scheduler.module.css";

type Dead = OutputOf<typeof listDeadTasks>["items"][number];

/** Reload interval. Milliseconds. */
const EVERY = 10_000;

/** Worker tasks that failed for good; nothing while there are none. */
export function DeadTasks() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(listDeadTasks, { query: {} }), staleTime: 0, refetchInterval: EVERY });
  const [error, setError] = useState<unknown>(null);

  const end = async (operation: typeof resendTask | typeof discardTask, id: number) => {
    setError(null);
    try {
      await api.call(operation, { params: { id } });
    } catch (problem) {
      setError(problem);
    }
    await query.refetch();
  };

  const items = query.data?.items ?? [];
  const order = items.map(({ id }) => id);
  const selection = useSelection("dead", order, false);

  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data || (query.data.total === 0 && error === null)) return null;
  const { total } = query.data;
  return (
    <section className={classes["dead"]}>
      <h2>{t("scheduler.dead.title")}</h2>
      <p className={classes["quiet"]}>{t("scheduler.dead.lead")}</p>
      {error !== null && <ProblemNote error={error} />}
      <ul className={classes["jobs"]}>
        {items.map((task) => (
          <li key={task.id}>
            <DeadTask
              task={task}
              onEnd={(operation) => void end(operation, task.id)}
              check={<RowCheck id={task.id} name={nameOf(task)} order={order} selection={selection} />}
            />
          </li>
        ))}
      </ul>
      <FloatingBar shown={selection.any}>
        <SelectionBar
          bulk={{ actions: actionsFor(t), nameOf }}
          rows={items}
          selection={selection}
          total={total}
          onChanged={() => void query.refetch()}
        />
      </FloatingBar>
      {total > items.length && <p className={classes["quiet"]}>{t("scheduler.dead.more", { count: total - items.length })}</p>}
    </section>
  );
}

const nameOf = ({ kind, id }: Dead) => `${kind} ${id}`;

/** What can be done with several. Neither has a way back; sending again does what the task was for. */
function actionsFor(t: Translate): readonly BulkAction<Dead>[] {
  const each =
    (operation: typeof resendTask | typeof discardTask): BulkAction<Dead>["run"] =>
    async (rows, progress) =>
      await oneByOne(rows, async ({ id }) => await api.call(operation, { params: { id } }), progress);
  return [
    {
      id: "resend",
      label: t("scheduler.dead.resend"),
      icon: IconRefresh,
      run: each(resendTask),
      said: (count) => t("scheduler.dead.resent", { count }),
    },
    {
      id: "discard",
      label: t("scheduler.dead.discard"),
      icon: IconTrash,
      run: each(discardTask),
      question: (count) => ({
        title: t("scheduler.dead.discardTitle", { count }),
        text: t("scheduler.dead.discardText"),
        yes: t("scheduler.dead.discard"),
      }),
      said: (count) => t("scheduler.dead.discarded", { count }),
    },
  ];
}

interface DeadTaskProps {
  readonly task: Dead;
  onEnd(operation: typeof resendTask | typeof discardTask): void;
  /** Selects it among others. */
  readonly check: ReactNode;
}

function DeadTask({ task, onEnd, check }: DeadTaskProps) {
  const { t } = useText();
  const { kind, attempts, diedAt, error } = task;
  return (
    <article className={classes["job"]}>
      <div className={classes["head"]}>
        {check}
        <span className={classes["outcome"]} data-outcome="failed">
          <IconAlertTriangle size={15} aria-hidden />
          <span>
            <code>{kind}</code> · {t("scheduler.dead.attempts", { count: attempts })} · <TimeAgo instant={diedAt} />
            <span className={classes["message"]}>{error}</span>
          </span>
        </span>
        <Button.Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onEnd(resendTask)}
            aria-label={t("scheduler.dead.resendOf", { kind })}
          >
            {t("scheduler.dead.resend")}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onEnd(discardTask)}
            aria-label={t("scheduler.dead.discardOf", { kind })}
          >
            {t("scheduler.dead.discard")}
          </Button>
        </Button.Group>
      </div>
    </article>
  );
}
