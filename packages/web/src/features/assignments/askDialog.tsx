import { useState } from "react";
import { Button, MultiSelect } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { mostUnits, offerUnits } from "@rollcall/server/contract/assignments";
import { listUnits, type Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Call, readAgain } from "./assignments.queries.ts";
import classes from "./assignments.module.css";

export interface AskDialogProps {
  readonly call: Pick<Call, "id" | "jobs" | "units">;
  onClose(): void;
}

/** Available ones first, then by their order. */
function askable(units: readonly Unit[], call: AskDialogProps["call"]): Unit[] {
  const jobs = new Set(call.jobs.map(({ name }) => name));
  const present = new Set(call.units.map(({ unit }) => unit.id));
  const found = units.filter(
    ({ id, deleted, grey, job, crew }) => !deleted && !grey && crew.length > 0 && jobs.has(job.name) && !present.has(id),
  );
  return found.toSorted((a, b) => Number(b.status.base === "available") - Number(a.status.base === "available"));
}

/** Asks units for a call, or assigns them without asking. */
export default function AskDialog({ call, onClose }: AskDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const query = useQuery(queryOf(listUnits, {}));
  const [chosen, setChosen] = useState<string[]>([]);
  const [sending, setSending] = useState(false);
  const units = askable(query.data?.items ?? [], call);
  const send = async (assign: boolean) => {
    setSending(true);
    try {
      await api.call(offerUnits, { params: { id: call.id }, body: { unitIds: chosen.map(Number), assign } });
      onClose();
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
      setSending(false);
    }
    await readAgain(queries);
  };
  const options = units.map(({ id, name, status, crew }) => ({
    value: String(id),
    label: t("assignments.ask.option", {
      name,
      status: status.name ?? t(`assignments.bases.${status.base}`),
      count: crew.length,
    }),
  }));
  const nobody = query.isSuccess && units.length === 0;
  const cannot = chosen.length === 0 || sending;
  return (
    <Dialog title={t("assignments.ask.title", { id: `DSP-${call.id}` })} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "40%"]} />}
      {nobody && <p>{t("assignments.ask.nobody")}</p>}
      {units.length > 0 && (
        <form
          className={classes["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            if (!cannot) void send(false);
          }}
        >
          <MultiSelect
            label={t("assignments.ask.units")}
            description={t("assignments.ask.hint")}
            data={options}
            value={chosen}
            maxValues={mostUnits}
            searchable
            data-autofocus
            nothingFoundMessage={t("assignments.ask.noneFound")}
            onChange={setChosen}
          />
          <div className={classes["actions"]}>
            <Button type="submit" disabled={cannot}>
              {t("assignments.ask.ask")}
            </Button>
            <Button variant="default" disabled={cannot} onClick={() => void send(true)}>
              {t("assignments.ask.assign")}
            </Button>
            <Button variant="subtle" onClick={onClose}>
              {t("web.cancel")}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
