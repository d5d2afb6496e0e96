import { lazy, Suspense, useMemo } from "react";
import { ColorInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type AbsenceKind, createKind, listKinds, putKind, shippedKind } from "@rollcall/server/contract/absences";
import contract from "virtual:form/absences/createKind";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { NumberField, OwnField, SwitchField, TextField } from "#ui/formFields.tsx";
import { Bars } from "#ui/states.tsx";
import classes from "./absences.module.css";

const IconPicker = lazy(loadIconPicker);

export interface KindEditorProps {
  /** Null for a new one. */
  readonly kind: AbsenceKind | null;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly colour: string;
  readonly icon: string | null;
  readonly needsApproval: boolean;
  readonly daysBack: number;
  readonly daysAhead: number;
  readonly mostDays: number;
}

const valuesOf = ({ name, colour, icon, needsApproval, daysBack, daysAhead, mostDays }: AbsenceKind): Values => {
  return { name, colour, icon, needsApproval, daysBack, daysAhead, mostDays };
};

/** Creates or changes a kind of absence of the own job. */
export default function KindEditor({ kind, onClose }: KindEditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = kind?.id ?? null;
  const job = useActiveIdentity().character.job.name;
  const stored = useMemo(() => {
    const fresh: Values = { name: "", colour: jobColour(job), icon: null, ...shippedKind };
    return { version: kind?.version ?? 0, values: kind === null ? fresh : valuesOf(kind) };
  }, [kind, job]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      name: { label: t("absences.kinds.name") },
      colour: { label: t("absences.kinds.colour") },
      icon: { label: t("absences.kinds.icon") },
      needsApproval: { label: t("absences.kinds.needsApproval") },
      daysBack: { label: t("absences.kinds.daysBack") },
      daysAhead: { label: t("absences.kinds.daysAhead") },
      mostDays: { label: t("absences.kinds.mostDays") },
    },
    stored,
    draft: `absence.kind.${id ?? "new"}`,
    refusals: { "absences.nameTaken": "name" },
    async save(values, version) {
      if (id === null) await api.call(createKind, { body: values });
      else await api.call(putKind, { params: { id }, body: { ...values, version } });
    },
    async read() {
      const now = (await api.call(listKinds)).items.find((one) => one.id === id);
      return now === undefined ? stored : { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listKinds.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t(id === null ? "absences.kinds.new" : "absences.kinds.edit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" autoFocus />
        <SwitchField at="needsApproval" />
        <div className={classes["two"]}>
          <NumberField at="daysBack" />
          <NumberField at="daysAhead" />
          <NumberField at="mostDays" />
        </div>
        <OwnField<string> at="colour">
          {({ value, set, error }) => (
            <ColorInput
              label={t("absences.kinds.colour")}
              format="hex"
              disallowInput={false}
              error={error}
              value={value}
              onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
              eyeDropperButtonProps={{ "aria-label": t("absences.kinds.pickColour") }}
            />
          )}
        </OwnField>
        <Suspense fallback={<Bars widths={["40%"]} />}>
          <OwnField<string | null> at="icon">
            {({ value, set }) => <IconPicker label={t("absences.kinds.icon")} value={value} onChange={set} />}
          </OwnField>
        </Suspense>
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
