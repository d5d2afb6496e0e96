import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { deleteAccount, setAccountEnabled, setAccountLicence } from "@rollcall/server/contract/accounts";
import reasonContract from "virtual:form/accounts/deleteAccount";
import licenceContract from "virtual:form/accounts/setAccountLicence";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import classes from "./accounts.module.css";

interface Values {
  readonly [field: string]: unknown;
  readonly reason: string;
  readonly licence: string;
}

interface Props {
  readonly open: string;
  readonly text: string;
  readonly licence?: boolean;
  readonly danger?: boolean;
  act(values: Values): Promise<unknown>;
}

/** A button that asks for a reason, which the audit log keeps, before it acts. */
function WithReason(props: Props) {
  const [opened, setOpened] = useState(false);
  if (opened) return <ReasonForm {...props} onClose={() => setOpened(false)} />;
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        {props.open}
      </Button>
    </div>
  );
}

const EMPTY = { version: 0, values: { reason: "", licence: "" } satisfies Values };

function ReasonForm({ open, text, licence = false, danger = false, act, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const reason = { label: t("accounts.reason") };
  const form = useContractForm<Values>({
    contract: licence ? licenceContract : reasonContract,
    fields: licence ? { licence: { label: t("accounts.move.licence") }, reason } : { reason },
    stored: EMPTY,
    save: act,
    saved() {
      onClose();
      void queries.invalidateQueries();
    },
  });
  return (
    <Form form={form} className={classes["reason"]}>
      <p>{text}</p>
      {licence && <TextField at="licence" autoFocus />}
      <TextField at="reason" autoFocus={!licence} />
      <FormButtons
        className={classes["acts"]}
        submit={open}
        danger={danger}
        small
        cancel={{ text: t("web.cancel"), run: onClose }}
      />
    </Form>
  );
}

export function DisableAccount({ accountId }: { accountId: number }) {
  const { t } = useText();
  return (
    <WithReason
      open={t("accounts.disable.open")}
      text={t("accounts.disable.text")}
      danger
      act={({ reason }) => api.call(setAccountEnabled, { params: { accountId }, body: { enabled: false, reason } })}
    />
  );
}

export function MoveAccount({ accountId }: { accountId: number }) {
  const { t } = useText();
  return (
    <WithReason
      open={t("accounts.move.open")}
      text={t("accounts.move.text")}
      licence
      act={({ licence, reason }) => api.call(setAccountLicence, { params: { accountId }, body: { licence, reason } })}
    />
  );
}

export function DeleteAccount({ accountId }: { accountId: number }) {
  const { t } = useText();
  return (
    <WithReason
      open={t("accounts.delete.open")}
      text={t("accounts.delete.text")}
      danger
      act={({ reason }) => api.call(deleteAccount, { params: { accountId }, body: { reason } })}
    />
  );
}
