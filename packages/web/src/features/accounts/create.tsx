import { useState, type FormEvent } from "react";
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createAccount } from "@rollcall/server/contract/accounts";
import { useDraft } from "#core/drafts.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { ProblemNote } from "#ui/states.tsx";
import { Issued } from "./issued.tsx";
import classes from "./accounts.module.css";

/** An account and the token with which its owner registers. */
export function NewAccount({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const draft = useDraft("accounts.create", { licence: "", username: "" });
  const [shown, setShown] = useState(0);
  const { licence, username } = draft.value;
  const create = useMutation({
    mutationFn: () => {
      const name = username.trim();
      return api.call(createAccount, { body: { licence: licence.trim(), ...(name === "" ? {} : { username: name }) } });
    },
    onSuccess: () => {
      draft.clear();
      setShown(shown + 1);
      void queries.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className={classes["create"]} onSubmit={submit} aria-label={t("accounts.create.open")}>
      {create.isError && <ProblemNote error={create.error} />}
      {create.data && <Issued issued={create.data} />}
      <div className={classes["fields"]} key={shown}>
        <TextInput
          label={t("accounts.columns.licence")}
          description={t("accounts.create.licenceText")}
          maxLength={64}
          required
          withAsterisk={false}
          value={licence}
          onChange={(event) => draft.set({ licence: event.currentTarget.value })}
          autoFocus
        />
        <TextInput
          label={t("accounts.columns.username")}
          description={t("accounts.create.usernameText")}
          maxLength={24}
          autoCapitalize="none"
          value={username}
          onChange={(event) => draft.set({ username: event.currentTarget.value })}
        />
      </div>
      <div className={classes["acts"]}>
        <Button type="submit" loading={create.isPending} disabled={licence.trim() === ""}>
          {t("accounts.create.submit")}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t("web.close")}
        </Button>
      </div>
    </form>
  );
}
