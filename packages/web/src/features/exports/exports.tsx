import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconDownload, IconLoader, IconX } from "@tabler/icons-react";
import { useText, type Translate } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { Problem } from "#core/problem.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { type Export, fileOf, isOpen, useExports } from "./exports.queries.ts";
import classes from "./exports.module.css";

export interface ExportsProps {
  /** A kind of exports of the server. */
  readonly kind: string;
  /** What the list shows at present. */
  readonly filter: Record<string, unknown>;
}

/** A button that exports a list as CSV, and the own exports of this list with their progress. */
export function Exports({ kind, filter }: ExportsProps) {
  const { t } = useText();
  const { query, busy, error, request, cancel, remove } = useExports(kind);
  const items = query.data?.items ?? [];
  const { announcement, announce } = useAnnouncement();
  const { ask, dialog } = useConfirm();
  const removeOne = async (one: Export) => {
    const { id, rows, state } = one;
    const said = t(isOpen(one) ? "exports.cancelled" : "exports.removed", { id });
    // Without a file nothing is lost: a request is made again with one click.
    if (state !== "done") {
      if (await cancel(id)) announce(said);
      return;
    }
    const question = {
      title: t("exports.removeTitle", { id }),
      text: t("exports.removeText", { count: rows }),
      yes: t("exports.remove"),
    };
    ask(question, async () => {
      await remove(id);
      announce(said);
    });
  };
  return (
    <ActionList className={classes["exports"]} label={t("exports.own")} announcement={announcement}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={busy}
        onClick={() => void request(given(filter))}
      >
        CSV
      </Button>
      {dialog}
      {error !== null && <ProblemNote error={error} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {items.length > 0 && (
        <ul className={classes["list"]} aria-label={t("exports.own")}>
          {items.map((one) => (
            <li key={one.id} className={classes["export"]}>
              <One one={one} onRemove={() => void removeOne(one)} />
            </li>
          ))}
        </ul>
      )}
    </ActionList>
  );
}

/** Without what is not set: the server refuses `undefined` fields that became null. */
function given(filter: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function One({ one, onRemove }: { one: Export; onRemove: () => void }) {
  const { t } = useText();
  const { id, state, rows, total, createdAt } = one;
  const open = isOpen(one);
  const Icon = state === "done" ? IconCheck : state === "failed" ? IconAlertTriangle : IconLoader;
  return (
    <>
      <span className={classes["state"]} data-state={state}>
        <Icon size={14} aria-hidden />
        {stateText(t, one)}
      </span>
      {open && total !== null && <progress aria-label={t("exports.progress", { id })} value={rows} max={Math.max(total, 1)} />}
      <span className={classes["quiet"]}>
        <TimeAgo instant={createdAt} />
      </span>
      {state === "done" && (
        <Button
          component="a"
          href={fileOf(one)}
          download
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          aria-label={t("exports.downloadOf", { id })}
        >
          {t("exports.download")}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconX size={14} aria-hidden />}
        aria-label={t(open ? "exports.cancelOf" : "exports.removeOf", { id })}
        onClick={onRemove}
      >
        {t(open ? "exports.cancel" : "exports.remove")}
      </Button>
    </>
  );
}

function stateText(t: Translate, { state, rows, total, error }: Export): string {
  switch (state) {
    case "waiting":
      return t("exports.waiting");
    case "running":
      return total === null ? t("exports.runningSoFar", { count: rows }) : t("exports.running", { count: total, rows });
    case "done":
      return t("exports.done", { count: rows });
    case "failed":
      return problemMessage(t, new Problem(error?.code ?? "exports.failed", 409, { params: error?.params ?? {} }));
  }
}
