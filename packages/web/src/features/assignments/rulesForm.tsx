import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { getWorkRules, type Mode, modes, putWorkRules, type WorkRules } from "@rollcall/server/contract/assignments";
import contract from "virtual:form/assignments/putWorkRules";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormBar } from "#ui/form.tsx";
import { ChoiceField, SwitchField } from "#ui/formFields.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useWorkRules } from "./assignments.queries.ts";
import classes from "./assignments.module.css";

interface Values extends Record<string, unknown> {
  readonly mode: Mode;
  readonly completes: boolean;
}

const valuesOf = ({ mode, completes }: WorkRules): Values => ({ mode, completes });

/** How units of the own job get calls, for those who set the calls up. */
export default function WorkRulesForm() {
  const { t } = useText();
  const query = useWorkRules(true);
  return (
    <PanelSection title={t("assignments.rules.title")} lead={t("assignments.rules.lead")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["40%", "60%"]} />}
      {query.data && <Fields rules={query.data} />}
    </PanelSection>
  );
}

function Fields({ rules }: { readonly rules: WorkRules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version: rules.version, values: valuesOf(rules) }), [rules]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      mode: { label: t("assignments.rules.mode") },
      completes: { label: t("assignments.rules.completes") },
    },
    stored,
    save: async (values, version) => void (await api.call(putWorkRules, { body: { ...values, version } })),
    async read() {
      const now = await api.call(getWorkRules);
      return { version: now.version, values: valuesOf(now) };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [getWorkRules.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <ChoiceField
        at="mode"
        description={t("assignments.rules.modeHint")}
        data={modes.map((value) => ({ value, label: t(`assignments.rules.modes.${value}`) }))}
      />
      <SwitchField at="completes" description={t("assignments.rules.completesHint")} />
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}
