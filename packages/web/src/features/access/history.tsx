import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import type { RowLabels } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Changes } from "./changes.tsx";
import { RoleDialog } from "./dialog.tsx";
import type { GrantChange } from "./grants.ts";
import { RowNames } from "./naming.tsx";
import classes from "./access.module.css";
import own from "./history.module.css";

export interface Revision {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  /** Text key of what was changed. */
  readonly note?: string;
  readonly changes: readonly GrantChange[];
}

export interface History {
  readonly key: readonly unknown[];
  read(): Promise<{ revisions: readonly Revision[]; labels: RowLabels }>;
  /** Null where the viewer may not undo changes. */
  readonly undo: ((version: number) => Promise<unknown>) | null;
  /** Shown when nothing was ever changed. */
  readonly empty: string;
  /** Text key above those of the choices; defaults to that of roles. */
  readonly choiceTexts?: string;
}

/** What was changed, newest first, each change with its undo. */
export function HistoryDialog({ history, onClose }: { history: History; onClose: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const list = useQuery({ queryKey: history.key, queryFn: () => history.read(), staleTime: 0 });
  const [busy, setBusy] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const undo = async (version: number) => {
    setBusy(version);
    setError(null);
    try {
      await history.undo?.(version);
      await queries.invalidateQueries({ queryKey: history.key });
    } catch (problem) {
      setError(problem);
    }
    setBusy(null);
  };
  return (
    <RoleDialog title={t("access.history.open")} onClose={onClose}>
      {list.isPending && <Bars widths={["70%", "90%", "50%"]} />}
      {list.isError && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      {error !== null && <ProblemNote error={error} />}
      {list.data?.revisions.length === 0 && <p className={classes["quiet"]}>{history.empty}</p>}
      <RowNames labels={list.data?.labels ?? {}}>
        <ol className={own["revisions"]}>
          {list.data?.revisions.map(({ version, at, by, note, changes }) => (
            <li key={version}>
              <div className={own["revisionHead"]}>
                <span>
                  <strong>{by}</strong> · <TimeAgo instant={at} />
                </span>
                {history.undo && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    leftSection={<IconArrowBackUp size={13} />}
                    loading={busy === version}
                    onClick={() => void undo(version)}
                  >
                    {t("access.history.undo")}
                  </Button>
                )}
              </div>
              {note && <p className={classes["quiet"]}>{t(note)}</p>}
              <Changes changes={changes} {...(history.choiceTexts === undefined ? {} : { choiceTexts: history.choiceTexts })} />
            </li>
          ))}
        </ol>
      </RowNames>
    </RoleDialog>
  );
}
