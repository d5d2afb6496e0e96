export const oauthContract = {};
