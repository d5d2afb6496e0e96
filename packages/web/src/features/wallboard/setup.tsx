import { useState } from "react";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createLink, listLinks, revokeLink, wallboardPermissions } from "@rollcall/server/contract/wallboard";
import contract from "virtual:form/wallboard/createLink";
import { useAbilities } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import { CopyText } from "#ui/copy.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import classes from "./wallboard.module.css";

const stored = { version: 0, values: { name: "" } };

/** The links to the wallboard of the own job. */
export default function WallboardSetup() {
  const { t } = useText();
  if (!useAbilities().has(wallboardPermissions.manage))
    return (
      <PanelPage title={t("wallboard.setup.title")} lead={t("wallboard.setup.lead")}>
        <RightHint permission={wallboardPermissions.manage.id} />
      </PanelPage>
    );
  return (
    <PanelPage title={t("wallboard.setup.title")} lead={t("wallboard.setup.lead")}>
      <Links />
      <NewLink />
    </PanelPage>
  );
}

function Links() {
  const { t } = useText();
  const queries = useQueryClient();
  const query = useQuery(queryOf(listLinks, {}));
  const { announcement, announce } = useAnnouncement();
  const { dialog, ask } = useConfirm();
  const revoke = (id: number, name: string) =>
    ask(
      { title: t("wallboard.setup.revoke"), text: t("wallboard.setup.revokeText", { name }), yes: t("wallboard.setup.revoke") },
      async () => {
        await api.call(revokeLink, { params: { id } });
        await queries.invalidateQueries({ queryKey: [listLinks.id] });
        announce(t("wallboard.setup.revoked", { name }));
      },
    );
  return (
    <PanelSection title={t("wallboard.setup.links")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "40%"]} />}
      <ActionList label={t("wallboard.setup.links")} announcement={announcement}>
        {query.data?.items.length === 0 && <p>{t("wallboard.setup.none")}</p>}
        <ul className={classes["list"]}>
          {query.data?.items.map(({ id, name, createdBy, createdAt }) => (
            <li key={id} className={classes["line"]}>
              <span>
                <strong>{name}</strong> {t("wallboard.setup.by", { name: createdBy })} <TimeAgo instant={createdAt} />
              </span>
              <Button
                size="compact-md"
                variant="default"
                aria-label={t("wallboard.setup.revokeNamed", { name })}
                onClick={() => revoke(id, name)}
              >
                {t("wallboard.setup.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      </ActionList>
      {dialog}
    </PanelSection>
  );
}

function NewLink() {
  const { t } = useText();
  const queries = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const form = useContractForm<{ name: string }>({
    contract,
    fields: { name: { label: t("wallboard.setup.name") } },
    stored,
    save: async ({ name }) => setUrl((await api.call(createLink, { body: { name } })).url),
    read: async () => await Promise.resolve(stored),
    saved: () => void queries.invalidateQueries({ queryKey: [listLinks.id] }),
  });
  return (
    <PanelSection title={t("wallboard.setup.new")} lead={t("wallboard.setup.newLead")}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" />
        <FormBar save={t("wallboard.setup.create")} />
      </Form>
      {url !== null && (
        <div role="status">
          <p>{t("wallboard.setup.once")}</p>
          <CopyText text={url} label={t("wallboard.setup.address")} />
        </div>
      )}
    </PanelSection>
  );
}
