import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import {
  type BaseKind,
  baseKinds,
  createStatus,
  type CustomStatus,
  listStatuses,
  putStatus,
} from "@rollcall/server/contract/units";
import contract from "virtual:form/units/createStatus";
import { useWorkedJob } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { ChoiceField, TextField } from "#ui/formFields.tsx";
import { LookFields } from "./look.tsx";
import classes from "./units.module.css";

export interface StatusEditorProps {
  /** Null for a new one. */
  readonly status: CustomStatus | null;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly base: BaseKind;
  readonly colour: string;
  readonly icon: string | null;
}

const valuesOf = ({ name, base, colour, icon }: CustomStatus): Values => ({ name, base, colour, icon });

/** Creates or changes a custom status; its base kind is chosen once. */
export default function StatusEditor({ status, onClose }: StatusEditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = status?.id ?? null;
  const job = useWorkedJob();
  const stored = useMemo(() => {
    const fresh: Values = { name: "", base: "busy", colour: jobColour(job), icon: null };
    return { version: status?.version ?? 0, values: status === null ? fresh : valuesOf(status) };
  }, [status, job]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      name: { label: t("units.fields.name") },
      base: { label: t("units.fields.base") },
      colour: { label: t("units.fields.colour") },
      icon: { label: t("units.fields.icon") },
    },
    stored,
    refusals: { "units.statusTaken": "name" },
    async save({ base, ...look }, version) {
      if (id === null) await api.call(createStatus, { body: { ...look, base } });
      else await api.call(putStatus, { params: { id }, body: { ...look, version } });
    },
    async read() {
      const now = (await api.call(listStatuses)).items.find((one) => one.id === id);
      return now === undefined ? stored : { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listStatuses.id] });
      onClose();
    },
  });
  const title = id === null ? t("units.setup.statusesNew") : t("units.setup.statusEdit");
  return (
    <Dialog title={title} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" autoFocus />
        <ChoiceField
          at="base"
          disabled={id !== null}
          description={t("units.fields.baseHint")}
          data={baseKinds.map((value) => ({ value, label: t(`units.bases.${value}`) }))}
        />
        <LookFields />
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
