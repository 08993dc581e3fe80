# Signs a webhook as Payhooks does and posts it:  SECRET=whsec_... sh post.sh http://localhost:8080/webhooks
BODY='{"webhook_message_id":"msg_by_hand","api_version":1,"created_date":"2026-11-21T06:02:36.192Z","resource_id":"pay_1","resource_type":"payment","event_type":"card_payment_captured","resource":{"amount":1000}}'
NOW=$(date +%s)
KEY=$(printf %s "${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
SIGNATURE=$(printf %s "msg_by_hand.$NOW.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -i "$1" -H 'content-type: application/json; charset=utf-8' --data-raw "$BODY" \
  -H 'webhook-id: msg_by_hand' -H "webhook-timestamp: $NOW" -H "webhook-signature: v1,$SIGNATURE" -H 'webhook-attempt: 1'
