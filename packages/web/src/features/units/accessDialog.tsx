import { lazy, Suspense, useState } from "react";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getUnitAccess, listUnits, putUnitAccess, type Unit, unitLevels } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { type Entries, loadAccessEditor } from "#features/accesslists/accesslists.api.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./units.module.css";

const AccessEditor = lazy(loadAccessEditor);

export interface AccessProps {
  readonly unit: Pick<Unit, "id" | "name">;
  onClose(): void;
}

/** Who may join a unit. */
export default function AccessDialog({ unit: { id, name }, onClose }: AccessProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const query = useQuery({ ...queryOf(getUnitAccess, { params: { id } }), refetchOnMount: "always" });
  const [changed, setChanged] = useState<Entries | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stored = query.data;
  const save = async () => {
    if (stored === undefined) return;
    setBusy(true);
    setError(null);
    try {
      // Names are for the eye.
      const entries = (changed ?? stored.entries).map(({ name: _name, ...entry }: Entries[number]) => entry);
      await api.call(putUnitAccess, { params: { id }, body: { version: stored.version, entries } });
      for (const one of [listUnits, getUnitAccess]) void queries.invalidateQueries({ queryKey: [one.id] });
      showToast({ tone: "success", title: t("units.access.saved", { name }) });
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("units.access.title", { name })} size="lg" onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%"]} />}
      {stored && (
        <div className={classes["form"]}>
          <p className={classes["quiet"]}>{t("units.access.lead")}</p>
          <Suspense fallback={<Bars widths={["60%", "80%"]} />}>
            <AccessEditor
              levels={unitLevels}
              value={changed ?? stored.entries}
              otherJobs={false}
              title={t("units.access.open")}
              onChange={setChanged}
            />
          </Suspense>
          {error !== null && <ProblemNote error={error} />}
          <div className={classes["actions"]}>
            <Button loading={busy} data-save onClick={() => void save()}>
              {t("units.access.save")}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
