/** The methods that the server routes. A path that exists for one of them answers 405 to the others. */
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
