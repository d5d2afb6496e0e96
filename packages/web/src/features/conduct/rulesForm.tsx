import { useMemo } from "react";
import { ActionIcon, Button, NumberInput, Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import {
  type ConductRules,
  listKinds,
  mostThresholds,
  notified,
  putRules,
  type Threshold,
} from "@rollcall/server/contract/conduct";
import contract from "virtual:form/conduct/putRules";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormBar } from "#ui/form.tsx";
import { OwnField } from "#ui/formFields.tsx";
import classes from "./conduct.module.css";

interface Values extends Record<string, unknown> {
  readonly thresholds: readonly Threshold[];
}

/** At how many points somebody is notified. */
export function RulesForm({ rules }: { readonly rules: ConductRules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const kept = JSON.stringify(rules);
  const stored = useMemo(() => {
    const { version, thresholds } = JSON.parse(kept) as ConductRules;
    return { version, values: { thresholds } };
  }, [kept]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      thresholds: {
        label: t("conduct.rules.title"),
        show: (value) => (value as readonly Threshold[]).map(({ points }) => String(points)).join(", "),
      },
    },
    stored,
    async save({ thresholds }, version) {
      await api.call(putRules, { body: { version, thresholds: [...thresholds] } });
    },
    async read() {
      const { rules: now } = await api.call(listKinds);
      return { version: now.version, values: { thresholds: now.thresholds } };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [listKinds.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <OwnField<readonly Threshold[]> at="thresholds">
        {({ value, set, error }) => (
          <>
            <Thresholds value={value} onChange={set} />
            {error}
          </>
        )}
      </OwnField>
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}

interface ThresholdsProps {
  readonly value: readonly Threshold[];
  onChange(value: readonly Threshold[]): void;
}

function Thresholds({ value, onChange }: ThresholdsProps) {
  const { t } = useText();
  const change = (at: number, part: Partial<Threshold>) =>
    onChange(value.map((one, place) => (place === at ? { ...one, ...part } : one)));
  const next = Math.max(0, ...value.map(({ points }) => points)) + 5;
  return (
    <div className={classes["form"]}>
      {value.length === 0 && <p className={classes["quiet"]}>{t("conduct.rules.none")}</p>}
      {value.map(({ points, notify }, at) => (
        <div key={at} className={classes["threshold"]} role="group" aria-label={t("conduct.rules.number", { number: at + 1 })}>
          <NumberInput
            label={t("conduct.rules.points")}
            value={points}
            min={1}
            max={9999}
            allowDecimal={false}
            onChange={(typed) => typeof typed === "number" && change(at, { points: typed })}
          />
          <Select
            label={t("conduct.rules.notify")}
            data={notified.map((one) => ({ value: one, label: t(`conduct.rules.notified.${one}`) }))}
            value={notify}
            onChange={(one) => change(at, { notify: one === "superiors" ? "superiors" : "viewers" })}
            allowDeselect={false}
          />
          <ActionIcon
            size="lg"
            aria-label={t("conduct.rules.remove", { points })}
            onClick={() => onChange(value.filter((_one, place) => place !== at))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {value.length < mostThresholds && (
        <Button
          size="compact-md"
          variant="default"
          className={classes["start"] ?? ""}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...value, { points: next, notify: "superiors" }])}
        >
          {t("conduct.rules.add")}
        </Button>
      )}
    </div>
  );
}
