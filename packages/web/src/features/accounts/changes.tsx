import { useState, type FormEvent } from "react";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deleteAccount, setAccountEnabled, setAccountLicence } from "@rollcall/server/contract/accounts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./accounts.module.css";

interface Values {
  readonly reason: string;
  readonly licence: string;
}

/** A button that asks for a reason, which the audit log keeps, before it acts. */
function WithReason(props: {
  open: string;
  text: string;
  licence?: boolean;
  danger?: boolean;
  act: (values: Values) => Promise<unknown>;
}) {
  const { t } = useText();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState("");
  const [licence, setLicence] = useState("");
  const send = useMutation({
    mutationFn: () => props.act({ reason: reason.trim(), licence: licence.trim() }),
    onSuccess: () => {
      setOpened(false);
      setReason("");
      void queries.invalidateQueries();
    },
  });
  const colour = props.danger ? { color: "red" } : {};
  if (!opened) {
    return (
      <div>
        <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
          {props.open}
        </Button>
      </div>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  const ready = reason.trim().length >= 3 && (!props.licence || licence.trim() !== "");
  return (
    <form className={classes["reason"]} onSubmit={submit}>
      <p>{props.text}</p>
      {send.isError && <ProblemNote error={send.error} />}
      {props.licence && (
        <TextInput
          label={t("accounts.move.licence")}
          maxLength={64}
          value={licence}
          onChange={(event) => setLicence(event.currentTarget.value)}
          autoFocus
        />
      )}
      <TextInput
        label={t("accounts.reason")}
        maxLength={255}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        autoFocus={!props.licence}
      />
      <div className={classes["acts"]}>
        <Button type="submit" size="compact-sm" loading={send.isPending} disabled={!ready} {...colour}>
          {props.open}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setOpened(false)}>
          {t("web.cancel")}
        </Button>
      </div>
    </form>
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
      act={(body) => api.call(setAccountLicence, { params: { accountId }, body })}
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
