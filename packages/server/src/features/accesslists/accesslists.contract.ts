export const accesslistsContract = {};
