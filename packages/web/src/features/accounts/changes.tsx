import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { deleteAccount, setAccountEnabled, setAccountLicence } from "@rollcall/server/contract/accounts";
import reasonContract from "virtual:form/accounts/deleteAccount";
import licenceContract from "virtual:form/accounts/setAccountLicence";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import type { Question } from "#ui/confirm.tsx";
import { ConfirmReason } from "#ui/confirmReason.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import classes from "./accounts.module.css";

interface Account {
  readonly accountId: number;
  readonly name: string;
}

interface WithReasonProps {
  readonly question: Question;
  /** The button that opens the question is red too. */
  readonly red?: boolean;
  act(reason: string): Promise<unknown>;
}

/** A button that asks, and for a reason, before it acts. */
function WithReason({ question, red = false, act }: WithReasonProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <Button size="compact-sm" {...(red ? { color: "danger" } : { variant: "default" })} onClick={() => setAsking(true)}>
        {question.yes}
      </Button>
      {asking && (
        <ConfirmReason
          question={question}
          contract={reasonContract}
          label={t("accounts.reason")}
          onYes={act}
          onDone={() => void queries.invalidateQueries()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

export function DisableAccount({ accountId, name }: Account) {
  const { t } = useText();
  const question = {
    title: t("accounts.disable.title", { name }),
    text: t("accounts.disable.text"),
    yes: t("accounts.disable.open"),
  };
  const params = { accountId };
  const act = async (reason: string) => await api.call(setAccountEnabled, { params, body: { enabled: false, reason } });
  return <WithReason question={question} act={act} />;
}

export function DeleteAccount({ accountId, name }: Account) {
  const { t } = useText();
  const question = {
    title: t("accounts.delete.title", { name }),
    text: t("accounts.delete.text"),
    yes: t("accounts.delete.open"),
  };
  const act = async (reason: string) => await api.call(deleteAccount, { params: { accountId }, body: { reason } });
  return <WithReason question={question} red act={act} />;
}

export function MoveAccount({ accountId }: { accountId: number }) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  if (opened) return <MoveForm accountId={accountId} onClose={() => setOpened(false)} />;
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        {t("accounts.move.open")}
      </Button>
    </div>
  );
}

const EMPTY = { version: 0, values: { reason: "", licence: "" } };

/** In the page and not in a dialog, so that the new licence can be copied from the list beside it. */
function MoveForm({ accountId, onClose }: { accountId: number; onClose: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const form = useContractForm<typeof EMPTY.values>({
    contract: licenceContract,
    fields: { licence: { label: t("accounts.move.licence") }, reason: { label: t("accounts.reason") } },
    stored: EMPTY,
    save: async ({ licence, reason }) => await api.call(setAccountLicence, { params: { accountId }, body: { licence, reason } }),
    saved() {
      onClose();
      void queries.invalidateQueries();
    },
  });
  return (
    <Form form={form} className={classes["reason"]}>
      <p>{t("accounts.move.text")}</p>
      <TextField at="licence" autoFocus />
      <TextField at="reason" />
      <FormButtons
        className={classes["acts"]}
        submit={t("accounts.move.open")}
        small
        cancel={{ text: t("web.cancel"), run: onClose }}
      />
    </Form>
  );
}
