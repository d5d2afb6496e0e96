import { useState, type FormEvent } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Button, Select, Switch, TextInput } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings } from "@rollcall/server/contract/settings";
import { reloadClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { languages } from "#core/preferences.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { StepTitle } from "./parts.tsx";
import classes from "./setup.module.css";

type Loaded = OutputOf<typeof getSettings>;

export function CommunityStep({ onDone }: { onDone: () => void }) {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getSettings, {}), staleTime: 0 });
  return (
    <>
      <StepTitle>{t("setup.community.title")}</StepTitle>
      <p>{t("setup.community.text")}</p>
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && <Form loaded={query.data} onDone={onDone} onStale={() => void query.refetch()} />}
    </>
  );
}

/** Typed input is kept when another admin changed the settings meanwhile. */
function Form({ loaded, onDone, onStale }: { loaded: Loaded; onDone: () => void; onStale: () => void }) {
  const { t } = useText();
  const { general, auth } = loaded.settings;
  const [values, setValues] = useState({
    name: general.name,
    defaultLanguage: general.defaultLanguage,
    signUp: auth.signUp,
    confirmGameAdmins: auth.confirmGameAdmins,
  });
  const put = (change: Partial<typeof values>) => setValues({ ...values, ...change });
  const save = useMutation({
    mutationFn: () => {
      const { name, defaultLanguage, signUp, confirmGameAdmins } = values;
      const settings = {
        ...loaded.settings,
        general: { ...general, name: name.trim(), defaultLanguage },
        auth: { ...auth, signUp, confirmGameAdmins },
      };
      return api.call(putSettings, { body: { version: loaded.version, settings } });
    },
    onSuccess: () => {
      reloadClientConfig();
      onDone();
    },
    onError: (error) => {
      if (asProblem(error).code === "settings.stale") onStale();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={classes["form"]} onSubmit={submit}>
      {save.isError && <ProblemNote error={save.error} />}
      <TextInput
        label={t("settings.general.name")}
        name="name"
        maxLength={60}
        required
        withAsterisk={false}
        value={values.name}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <Select
        label={t("settings.general.language")}
        description={t("settings.general.languageText")}
        data={languages.map((language) => ({ value: language, label: t(`settings.general.languages.${language}`) }))}
        value={values.defaultLanguage}
        onChange={(language) => put({ defaultLanguage: language === "de" ? "de" : "en" })}
        allowDeselect={false}
      />
      <Switch
        label={t("settings.signIn.signUp")}
        description={t("settings.signIn.signUpText")}
        checked={values.signUp}
        onChange={(event) => put({ signUp: event.currentTarget.checked })}
      />
      <Switch
        label={t("settings.signIn.confirmGameAdmins")}
        description={t("settings.signIn.confirmGameAdminsText")}
        checked={values.confirmGameAdmins}
        onChange={(event) => put({ confirmGameAdmins: event.currentTarget.checked })}
      />
      <div className={classes["acts"]}>
        <Button type="submit" loading={save.isPending} disabled={values.name.trim() === ""}>
          {t("setup.next")}
        </Button>
      </div>
    </form>
  );
}
