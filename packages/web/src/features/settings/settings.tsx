import { useRef } from "react";
import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings, settingsErrors } from "@rollcall/server/contract/settings";
import contract from "virtual:form/settings/putSettings/settings";
import { reloadClientConfig } from "#core/client.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { Problem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Admins, Appearance, Banner, General, Jobs, SignIn, Uploads } from "./sections.tsx";
import { useSettingFields } from "./fields.ts";
import { History } from "./history.tsx";

type Loaded = OutputOf<typeof getSettings>;
type Settings = Loaded["settings"];

/** The settings of this instance, for config admins; every change can be undone. */
export default function SettingsPage() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(getSettings, {}), staleTime: 0 });
  const again = async () => {
    reloadClientConfig();
    await query.refetch();
  };
  return (
    <PanelPage title={t("web.places.settings")} lead={t("settings.lead")}>
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.data && query.isFetchedAfterMount && <SettingsForm loaded={query.data} onSaved={again} />}
      {query.data && <History version={query.data.version} onUndone={() => void again()} />}
    </PanelPage>
  );
}

function SettingsForm({ loaded, onSaved }: { loaded: Loaded; onSaved: () => Promise<unknown> }) {
  const { t } = useText();
  const { ask, dialog } = useConfirm();
  /** Jobs with members of which it was answered that they mean being off duty, or having no job. */
  const confirmed = useRef<readonly string[]>([]);
  const askAbout = ({ code, params }: Problem) => {
    const { job = "", meant = "", members = 0 } = params;
    const means = code === settingsErrors.jobNoWork.code ? "meansNoWork" : "meansOffDuty";
    const question = {
      title: t(`settings.jobs.${means}`, { job, meant }),
      text: t(`settings.jobs.${means}Text`, { job, meant, count: Number(members) }),
      yes: t(`settings.jobs.${means}Yes`),
    };
    ask(question, () => {
      confirmed.current = [...confirmed.current, String(job)];
      // Not awaited: it may ask about the next job, after this question is closed.
      void form.model.submit();
    });
  };
  const form = useContractForm<Settings>({
    contract,
    fields: useSettingFields(),
    stored: { version: loaded.version, values: loaded.settings },
    draft: "settings",
    refusals: { "settings.languageTagUnknown": "display.locale" },
    async save(settings, version) {
      try {
        return await api.call(putSettings, { body: { version, settings, confirmed: [...confirmed.current] } });
      } catch (error) {
        const asked: readonly string[] = [settingsErrors.jobHasMembers.code, settingsErrors.jobNoWork.code];
        if (error instanceof Problem && asked.includes(error.code)) askAbout(error);
        throw error;
      }
    },
    async read() {
      const { version, settings } = await api.call(getSettings, {});
      return { version, values: settings };
    },
    async saved() {
      confirmed.current = [];
      await onSaved();
    },
  });
  return (
    <>
      <Form form={form}>
        <General />
        <SignIn />
        <Admins />
        <Jobs />
        <Uploads />
        <Banner stored={loaded.settings.banner.expiresAt} />
        <Appearance />
        <FormBar />
      </Form>
      {dialog}
    </>
  );
}
