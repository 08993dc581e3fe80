<?php
// A receiver in plain PHP:  SECRET=whsec_... php -S 127.0.0.1:8080 receive.php
declare(strict_types=1);

/** Whether we signed the body for this attempt, at most five minutes ago. */
function isGenuine(string $body, string $id, string $timestamp, string $signatures, string $secret): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    if ($key === false || strlen($key) < 24) {
        return false; // with a secret that is not set, anybody could sign
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// Not $_POST: what is signed are the bytes.
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
if (!isGenuine($body, $id, $timestamp, $signatures, getenv('SECRET') ?: '')) {
    http_response_code(401);
    exit;
}

// A file for each stands for a table of yours with webhook-id as its key.
$inbox = (getenv('INBOX') ?: sys_get_temp_dir()) . '/' . hash('sha256', $id);
if ($file = @fopen($inbox, 'x')) {
    fwrite($file, $body);
    $event = json_decode($body);
    file_put_contents('php://stdout', "kept $event->event_type $event->resource_id\n");
}
http_response_code(204);
