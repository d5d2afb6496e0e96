import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getSettings, putSettings } from "@rollcall/server/contract/settings";
import contract from "virtual:form/settings/putSettings/settings";
import { reloadClientConfig } from "#core/client.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
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
  const form = useContractForm<Settings>({
    contract,
    fields: useSettingFields(),
    stored: { version: loaded.version, values: loaded.settings },
    draft: "settings",
    refusals: { "settings.languageTagUnknown": "display.locale" },
    save: async (settings, version) => await api.call(putSettings, { body: { version, settings } }),
    async read() {
      const { version, settings } = await api.call(getSettings, {});
      return { version, values: settings };
    },
    saved: onSaved,
  });
  return (
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
  );
}
