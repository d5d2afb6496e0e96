import { useMemo } from "react";
import { ColorInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ConductKind, createKind, listKinds, putKind, tones } from "@rollcall/server/contract/conduct";
import contract from "virtual:form/conduct/createKind";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { ChoiceField, NumberField, OwnField, SwitchField, TextField } from "#ui/formFields.tsx";
import classes from "./conduct.module.css";

export interface KindEditorProps {
  /** Null for a new one. */
  readonly kind: ConductKind | null;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly colour: string;
  readonly tone: ConductKind["tone"];
  readonly points: number;
  /** An empty field is a text. */
  readonly expiresAfter: number | string | null;
  readonly acknowledge: boolean;
}

const usual = { name: "", tone: "negative", points: 1, expiresAfter: 90, acknowledge: true } as const;

const valuesOf = ({ name, colour, tone, points, expiresAfter, acknowledge }: ConductKind): Values => {
  return { name, colour, tone, points, expiresAfter, acknowledge };
};

/** Creates or changes a kind of conduct entries of the own job. */
export default function KindEditor({ kind, onClose }: KindEditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = kind?.id ?? null;
  const job = useActiveIdentity().character.job.name;
  const stored = useMemo(() => {
    const fresh: Values = { ...usual, colour: jobColour(job) };
    return { version: kind?.version ?? 0, values: kind === null ? fresh : valuesOf(kind) };
  }, [kind, job]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      name: { label: t("conduct.kinds.name") },
      tone: { label: t("conduct.kinds.tone"), show: (tone) => t(`conduct.tones.${String(tone)}`) },
      points: { label: t("conduct.pointsLabel") },
      expiresAfter: { label: t("conduct.kinds.expiresAfter") },
      acknowledge: { label: t("conduct.kinds.acknowledge") },
      colour: { label: t("conduct.kinds.colour") },
    },
    stored,
    draft: `conduct.kind.${id ?? "new"}`,
    refusals: { "conduct.nameTaken": "name" },
    async save({ expiresAfter, ...values }, version) {
      const body = { ...values, expiresAfter: typeof expiresAfter === "number" ? expiresAfter : null };
      if (id === null) await api.call(createKind, { body });
      else await api.call(putKind, { params: { id }, body: { ...body, version } });
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
    <Dialog title={t(id === null ? "conduct.kinds.new" : "conduct.kinds.edit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" autoFocus />
        <ChoiceField at="tone" data={tones.map((value) => ({ value, label: t(`conduct.tones.${value}`) }))} />
        <div className={classes["two"]}>
          <NumberField at="points" />
          <NumberField at="expiresAfter" description={t("conduct.kinds.expiresAfterHint")} />
        </div>
        <SwitchField at="acknowledge" />
        <OwnField<string> at="colour">
          {({ value, set, error }) => (
            <ColorInput
              label={t("conduct.kinds.colour")}
              format="hex"
              disallowInput={false}
              error={error}
              value={value}
              onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
              eyeDropperButtonProps={{ "aria-label": t("conduct.kinds.pickColour") }}
            />
          )}
        </OwnField>
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
