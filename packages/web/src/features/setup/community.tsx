import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings } from "@rollcall/server/contract/settings";
import contract from "virtual:form/settings/putSettings/settings";
import { reloadClientConfig } from "#core/client.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { languages } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { ChoiceField, SwitchField, TextField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { StepTitle } from "./parts.tsx";
import classes from "./setup.module.css";

type Loaded = OutputOf<typeof getSettings>;
type Settings = Loaded["settings"];

export function CommunityStep({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getSettings, {}), staleTime: 0 });
  return (
    <>
      <StepTitle>{t("setup.community.title")}</StepTitle>
      <p>{t("setup.community.text")}</p>
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && <CommunityForm loaded={query.data} onDone={onDone} />}
    </>
  );
}

function CommunityForm({ loaded, onDone }: { loaded: Loaded; onDone: () => void }) {
  const { t } = useText();
  const form = useContractForm<Settings>({
    contract,
    fields: {
      "general.name": { label: t("settings.general.name") },
      "general.defaultLanguage": {
        label: t("settings.general.language"),
        show: (value) => t(`settings.general.languages.${String(value)}`),
      },
      "auth.signUp": { label: t("settings.signIn.signUp") },
      "auth.confirmGameAdmins": { label: t("settings.signIn.confirmGameAdmins") },
    },
    stored: { version: loaded.version, values: loaded.settings },
    save: async (settings, version) => await api.call(putSettings, { body: { version, settings } }),
    async read() {
      const { version, settings } = await api.call(getSettings, {});
      return { version, values: settings };
    },
    saved() {
      reloadClientConfig();
      onDone();
    },
  });
  return (
    <Form form={form} className={classes["form"]}>
      <TextField at="general.name" name="name" />
      <ChoiceField
        at="general.defaultLanguage"
        description={t("settings.general.languageText")}
        data={languages.map((language) => ({ value: language, label: t(`settings.general.languages.${language}`) }))}
      />
      <SwitchField at="auth.signUp" description={t("settings.signIn.signUpText")} />
      <SwitchField at="auth.confirmGameAdmins" description={t("settings.signIn.confirmGameAdminsText")} />
      <FormButtons className={classes["acts"]} submit={t("setup.next")} />
    </Form>
  );
}
