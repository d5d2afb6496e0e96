import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import { keptByUndo, settingsHistory, undoSettings } from "@rollcall/server/contract/settings";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./settings.module.css";

const SHOWN = 10;

type Changes = OutputOf<typeof settingsHistory>["revisions"][number]["changes"];
const kept: readonly string[] = keptByUndo;
const undoable = (changes: Changes) => changes.some(({ path }) => !kept.includes(path));

/** The changes of settings and their authors, each with a button to undo it. */
export function History({ version, onUndone }: { version: number; onUndone: () => void }) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(settingsHistory, {}), queryKey: [settingsHistory.id, version] });
  const [busy, setBusy] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [all, setAll] = useState(false);
  const revisions = query.data?.revisions ?? [];

  const undo = async (one: number) => {
    setBusy(one);
    setError(null);
    try {
      await api.call(undoSettings, { params: { version: one } });
      onUndone();
    } catch (problem) {
      setError(problem);
    }
    setBusy(null);
  };

  const valueText = (value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "settings.history.on" : "settings.history.off");
    if (Array.isArray(value)) return value.length === 0 ? t("settings.history.nothing") : value.join(", ");
    return value === null || value === "" ? t("settings.history.nothing") : String(value);
  };

  return (
    <PanelSection title={t("settings.history.title")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {error !== null && <ProblemNote error={error} />}
      {query.isSuccess && revisions.length === 0 && <p className={classes["quiet"]}>{t("settings.history.none")}</p>}
      <ol className={classes["history"]}>
        {(all ? revisions : revisions.slice(0, SHOWN)).map((revision) => (
          <li key={revision.version}>
            <div className={classes["who"]}>
              <strong>{revision.by}</strong> <TimeAgo instant={revision.at} />
            </div>
            <ul>
              {revision.changes.map(({ path, before, after }) => (
                <li key={path}>
                  {t(`settings.fields.${path}`, { defaultValue: path })}:{" "}
                  {t("settings.history.change", { before: valueText(before), after: valueText(after) })}
                </li>
              ))}
            </ul>
            {undoable(revision.changes) && (
              <Button
                size="compact-xs"
                variant="default"
                loading={busy === revision.version}
                onClick={() => void undo(revision.version)}
                aria-label={t("settings.history.undoOf", { by: revision.by, number: revision.version })}
              >
                {t("settings.history.undo")}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {!all && revisions.length > SHOWN && (
        <Button variant="subtle" color="gray" onClick={() => setAll(true)}>
          {t("settings.history.all")}
        </Button>
      )}
    </PanelSection>
  );
}
