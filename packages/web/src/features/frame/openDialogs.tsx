import { useEffect } from "react";
import { useActiveIdentity } from "#core/abilities.ts";
import { isOffered, useDeclared } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { SearchDialog } from "#features/search/search.api.ts";
import { useOfferedCommands } from "./commands.ts";
import { closeDialog, fetchSearch, useOpenDialog } from "./dialogs.ts";

interface Closable {
  onClose(): void;
}

const HelpDialog = part<Closable>([], () => import("./help.tsx"));
const AdminDialog = part<Closable>([], () => import("./admin.tsx"));

/** The dialogs of the frame, loaded when first opened. */
export function Dialogs() {
  const name = useOpenDialog();
  useEffect(() => {
    const ahead = ({ key }: KeyboardEvent) => {
      if (key === "Control" || key === "Meta") fetchSearch();
    };
    addEventListener("keydown", ahead);
    return () => removeEventListener("keydown", ahead);
  }, []);
  return (
    <>
      {name === "search" && <Palette />}
      {name === "help" && <HelpDialog onClose={closeDialog} />}
      {name === "admin" && <AdminDialog onClose={closeDialog} />}
    </>
  );
}

function Palette() {
  const { navigation, jumps, commands } = useDeclared();
  const identity = useActiveIdentity();
  const pages = navigation.filter((entry) => isOffered(entry, identity));
  return <SearchDialog pages={pages} jumps={jumps} commands={useOfferedCommands(commands)} onClose={closeDialog} />;
}
