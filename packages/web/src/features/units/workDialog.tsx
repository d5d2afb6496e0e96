import { useState } from "react";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getOwnWork } from "@rollcall/server/contract/assignments";
import { setStatus, type WorkChoice } from "@rollcall/server/contract/units";
import contract from "virtual:form/assignments/handBack";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form } from "#ui/form.tsx";
import { useFormState } from "#ui/formContext.ts";
import { TextField } from "#ui/formFields.tsx";
import { ProblemNote } from "#ui/states.tsx";
import type { WorkQuestion } from "./status.ts";
import classes from "./units.module.css";

export interface WorkDialogProps {
  readonly question: WorkQuestion;
}

const EMPTY = { version: 0, values: { reason: "" } };

/** The calls that the own unit works, and whether it may hand them back; of another unit the server decides. */
function useWorked(unitId: number) {
  const { data } = useQuery(queryOf(getOwnWork, {}));
  if (data?.unit?.id !== unitId) return { ids: [], central: false };
  const own = data.calls.flatMap(({ id, units }) => units.filter(({ mine }) => mine).map((on) => ({ id, on })));
  const worked = own.filter(({ on }) => on.state !== "offered");
  return { ids: worked.map(({ id }) => `DSP-${id}`), central: worked.some(({ on }) => !on.may.includes("handBack")) };
}

/** A unit that works calls is to pause: it hands them back, or stays on them. */
export default function WorkDialog({ question: { unit, to, close } }: WorkDialogProps) {
  const { t } = useText();
  const { ids, central } = useWorked(unit.id);
  const params = { name: unit.name, status: t(`units.bases.${to.base}`) };
  const send = async (work: WorkChoice, reason?: string) =>
    await api.call(setStatus, {
      params: { id: unit.id },
      body: { base: to.base, statusId: to.id, work, ...(reason === undefined ? {} : { reason }) },
    });
  return (
    <Dialog title={t("units.work.title", params)} onClose={() => close("kept")}>
      <div className={classes["form"]}>
        <p className={classes["quiet"]}>
          {t("units.work.lead", params)} {ids.length > 0 && t("units.work.calls", { ids: ids.join(", ") })}
        </p>
        <section className={classes["choice"]} aria-label={t("units.work.handBack")}>
          <p>{t(central ? "units.work.central" : "units.work.handBackText")}</p>
          {!central && <HandBack send={async (reason) => await send("handBack", reason)} onDone={() => close("handedBack")} />}
        </section>
        <Stay text={t("units.work.stayText", params)} send={async () => await send("stay")} onDone={() => close("set")} />
        <Button variant="subtle" onClick={() => close("kept")}>
          {t("web.cancel")}
        </Button>
      </div>
    </Dialog>
  );
}

interface HandBackProps {
  send(reason: string): Promise<unknown>;
  onDone(): void;
}

function HandBack({ send, onDone }: HandBackProps) {
  const { t } = useText();
  const form = useContractForm<{ reason: string }>({
    contract,
    fields: { reason: { label: t("units.work.reason") } },
    stored: EMPTY,
    save: async ({ reason }) => await send(reason),
    saved: onDone,
  });
  return (
    <Form form={form} className={classes["form"]}>
      <TextField at="reason" autoFocus />
      <HandBackButton />
    </Form>
  );
}

function HandBackButton() {
  const { t } = useText();
  const { busy } = useFormState();
  return (
    <Button type="submit" loading={busy}>
      {t("units.work.handBack")}
    </Button>
  );
}

interface StayProps {
  readonly text: string;
  send(): Promise<unknown>;
  onDone(): void;
}

function Stay({ text, send, onDone }: StayProps) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stay = async () => {
    setBusy(true);
    setError(null);
    try {
      await send();
      onDone();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <section className={classes["choice"]} aria-label={t("units.work.stay")}>
      <p>{text}</p>
      {error !== null && <ProblemNote error={error} />}
      <Button variant="default" loading={busy} onClick={() => void stay()}>
        {t("units.work.stay")}
      </Button>
    </section>
  );
}
