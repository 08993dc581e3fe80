import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBRequestHandler;
import com.amazonaws.services.dynamodbv2.local.server.LocalDynamoDBServerHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;

/**
 * DynamoDB Local in memory, on loopback. Its own launcher listens on every address and reports its use to
 * Amazon.
 */
class DynamoDbLocal {
    public static void main(String[] arguments) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        server.addConnector(connector);
        var isInMemory = true;
        var isShared = true;
        var delaysTransientStatuses = false;
        var tables = new LocalDynamoDBRequestHandler(0, isInMemory, null, isShared, delaysTransientStatuses);
        server.setHandler(new ContextHandler(new LocalDynamoDBServerHandler(tables, null)));
        server.start();
        System.out.println("listening on " + connector.getLocalPort());
        while (System.in.read() != -1) {}
        System.exit(0);
    }
}
