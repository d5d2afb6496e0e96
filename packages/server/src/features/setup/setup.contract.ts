export const setupContract = {};
