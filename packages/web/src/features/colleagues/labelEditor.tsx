import { lazy, Suspense, useMemo } from "react";
import { ColorInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ColleagueLabel, createLabel, listLabels, putLabel } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/colleagues/createLabel";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { OwnField, TextField } from "#ui/formFields.tsx";
import { Bars } from "#ui/states.tsx";
import classes from "./colleagues.module.css";

const IconPicker = lazy(loadIconPicker);

export interface LabelEditorProps {
  /** Null for a new one. */
  readonly label: ColleagueLabel | null;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly colour: string;
  readonly icon: string | null;
}

const valuesOf = ({ name, colour, icon }: ColleagueLabel): Values => ({ name, colour, icon });

/** Creates or changes a label of the own job. */
export default function LabelEditor({ label, onClose }: LabelEditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = label?.id ?? null;
  const { character } = useActiveIdentity();
  const job = character.job.name;
  const stored = useMemo(() => {
    const values = label === null ? { name: "", colour: jobColour(job), icon: null } : valuesOf(label);
    return { version: label?.version ?? 0, values };
  }, [label, job]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      name: { label: t("colleagues.labels.name") },
      colour: { label: t("colleagues.labels.colour") },
      icon: { label: t("colleagues.labels.icon") },
    },
    stored,
    draft: id === null ? "colleagues.label.new" : `colleagues.label.${id}`,
    refusals: { "colleagues.nameTaken": "name" },
    async save(values, version) {
      if (id === null) await api.call(createLabel, { body: values });
      else await api.call(putLabel, { params: { id }, body: { ...values, version } });
    },
    async read() {
      const now = (await api.call(listLabels)).items.find((one) => one.id === id);
      return now === undefined ? stored : { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listLabels.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t(id === null ? "colleagues.labels.new" : "colleagues.labels.edit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" autoFocus />
        <OwnField<string> at="colour">
          {({ value, set, error }) => (
            <ColorInput
              label={t("colleagues.labels.colour")}
              format="hex"
              disallowInput={false}
              error={error}
              value={value}
              onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
              eyeDropperButtonProps={{ "aria-label": t("colleagues.labels.pickColour") }}
            />
          )}
        </OwnField>
        <Suspense fallback={<Bars widths={["40%"]} />}>
          <OwnField<string | null> at="icon">
            {({ value, set }) => <IconPicker label={t("colleagues.labels.icon")} value={value} onChange={set} />}
          </OwnField>
        </Suspense>
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
